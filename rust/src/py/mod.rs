//! The bindings: all of PyO3. Columns come and go through the buffer protocol.
//!
//! One file for each family of kernels, as in `kernels/rust/` of the package; here is what they share.

mod coding;
mod curve_terms;
mod curves;
mod elementary;
mod groups;
mod levels;
mod lists;
mod pairs;
mod placements;
mod plain;
mod plain_groups;
mod plain_levels;
mod runs;
mod sorted;
mod sums;

use crate::curves::output::Number;
use crate::memory::NoMemory;
use crate::workers::Workers;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Kernels that number rows decline so many: a row's number, or a count of rows, is below.
const MOST_ROWS: usize = 1 << 31;

/// A column of Python's, held until it is dropped.
struct Column(PyUntypedBuffer);

impl Column {
    fn new(array: &Bound<PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(array)?;
        let (start, size) = (buffer.buf_ptr() as usize, buffer.item_size().max(1));
        if buffer.dimensions() != 1
            || !buffer.is_c_contiguous()
            || !start.is_multiple_of(size.min(8))
        {
            return Err(PyTypeError::new_err("a column is one contiguous, aligned array"));
        }
        Ok(Column(buffer))
    }

    fn kind(&self) -> u8 {
        match self.0.format().to_bytes() {
            [kind] => *kind,
            _ => 0,
        }
    }

    fn read<T: Number>(&self) -> PyResult<&[T]> {
        if !T::KINDS.contains(&self.kind()) || self.0.item_size() != size_of::<T>() {
            return Err(PyTypeError::new_err("a column of another type was expected"));
        }
        if self.0.item_count() == 0 {
            return Ok(&[]);
        }
        // SAFETY: the buffer is held, contiguous, aligned, and of this type. Kernels read it without
        // the interpreter's lock, as NumPy does: whoever changes it meanwhile gets numbers of both
        // states. No length or place is taken from them unchecked: a page is taken when it is needed.
        Ok(unsafe { std::slice::from_raw_parts(self.0.buf_ptr() as *const T, self.0.item_count()) })
    }

    fn write<T: Number>(&mut self) -> PyResult<&mut [T]> {
        if self.0.readonly() {
            return Err(PyTypeError::new_err("a column that can be written was expected"));
        }
        let length = self.read::<T>()?.len();
        if length == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as for `read`; the caller made the array for this call, so that nobody else has it.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.buf_ptr() as *mut T, length) })
    }
}

/// Runs a kernel without the interpreter's lock; signals are looked at on the caller's thread.
fn guarded<T: Send>(
    py: Python,
    threads: usize,
    work: impl FnOnce(&Workers) -> T + Send,
) -> PyResult<T> {
    let signal: Mutex<Option<PyErr>> = Mutex::new(None);
    let interrupted = || match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            *signal.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
            true
        }
    };
    let made = py.detach(|| {
        let workers = Workers::new(threads, &interrupted);
        catch_unwind(AssertUnwindSafe(|| work(&workers)))
    });
    if let Some(error) = signal.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(error);
    }
    made.map_err(failure)
}

/// Runs what writes a kernel's answer, with the interpreter's lock.
fn checked<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|why| Err(failure(why)))
}

/// Why a kernel did not come to its end. A panic is a fault of ours, or of a caller who changed the
/// columns meanwhile: nobody can tell which, so both are said.
fn failure(why: Box<dyn Any + Send>) -> PyErr {
    if why.is::<NoMemory>() {
        return PyMemoryError::new_err("a kernel found no memory");
    }
    let what = why.downcast_ref::<String>().map(String::as_str);
    let what = what.or_else(|| why.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    PyRuntimeError::new_err(format!(
        "a compiled kernel failed: {what}. Were its columns changed while it read them? \
         Else this is a fault of steelyard; STEELYARD_KERNELS=numpy goes without these kernels."
    ))
}

#[pymodule]
fn _rust(module: &Bound<PyModule>) -> PyResult<()> {
    coding::add(module)?;
    curve_terms::add(module)?;
    curves::add(module)?;
    elementary::add(module)?;
    groups::add(module)?;
    levels::add(module)?;
    lists::add(module)?;
    pairs::add(module)?;
    placements::add(module)?;
    plain::add(module)?;
    plain_groups::add(module)?;
    plain_levels::add(module)?;
    sorted::add(module)?;
    sums::add(module)
}
