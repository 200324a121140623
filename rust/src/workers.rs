//! Threads for one call, and how a call is stopped.

use crate::memory;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many threads work, and whether they should go on.
pub struct Workers<'a> {
    pub threads: usize,
    stop: AtomicBool,
    interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// One thread of a call; the first is the caller's own.
pub struct Worker<'a> {
    pub number: usize,
    workers: &'a Workers<'a>,
    asked: Instant,
}

/// Bytes that must be there for threads to be started: the system ends a process where a thread finds
/// no memory for its own variables. More than what glibc keeps when it is freed, 32 MB.
const SLACK: usize = 1 << 26;

const PATIENCE: Duration = Duration::from_millis(50);

impl<'a> Workers<'a> {
    /// interrupted: asked now and then, by the caller's thread alone
    pub fn new(threads: usize, interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Workers { threads: threads.max(1), stop: AtomicBool::new(false), interrupted }
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The caller's thread alone, for work that is not shared.
    pub fn caller(&self) -> Worker<'_> {
        Worker { number: 0, workers: self, asked: Instant::now() }
    }

    /// Runs `work` on every thread.
    pub fn run<T: Send>(&self, work: impl Fn(&mut Worker) -> T + Sync) -> Vec<T> {
        let make = |number| {
            let _others = StopsOthers(self);
            work(&mut Worker { number, workers: self, asked: Instant::now() })
        };
        if self.threads == 1 || !memory::has_room(SLACK) {
            return (0..self.threads).map(make).collect();
        }
        thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads)
                .map(|number| {
                    let make = &make;
                    thread::Builder::new().spawn_scoped(scope, move || make(number))
                })
                .collect();
            let mut made = vec![make(0)];
            for (place, other) in others.into_iter().enumerate() {
                made.push(match other {
                    Ok(handle) => {
                        handle.join().unwrap_or_else(|why| std::panic::resume_unwind(why))
                    }
                    Err(_) => make(place + 1), // no thread to be had: the caller does its work
                });
            }
            made
        })
    }

    /// Runs `work` for each of `count` tasks, on the thread that is free.
    pub fn each(&self, count: usize, work: impl Fn(usize) + Sync) {
        let next = AtomicUsize::new(0);
        self.run(|worker| {
            while worker.goes_on() {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= count {
                    break;
                }
                work(task);
            }
        });
    }
}

/// Lets the other threads end soon where one unwinds: its call has no answer.
struct StopsOthers<'a>(&'a Workers<'a>);

impl Drop for StopsOthers<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Worker<'_> {
    /// False once the call was interrupted. To be asked every few thousand rows.
    pub fn goes_on(&mut self) -> bool {
        if self.number == 0 && self.asked.elapsed() > PATIENCE {
            self.asked = Instant::now();
            if (self.workers.interrupted)() {
                self.workers.stop.store(true, Ordering::Relaxed);
            }
        }
        !self.workers.stopped()
    }
}
