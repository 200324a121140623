"""Write docs/pictures, and remove pictures that no longer exist."""

from tools.pictures.every import FOLDER, stray, texts


def write() -> None:
    for path in stray():
        path.unlink()
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
