//! The work of another process, as Linux counts it.

use std::fs;
use std::time::Duration;

/// How long a tick is in `/proc`, on all processors that Linux runs on.
const TICK: Duration = Duration::from_millis(10);

/// The processor time that a process has used so far; none if there is no such process.
pub(crate) fn processor_time(pid: u32) -> Option<Duration> {
    of_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The time in user and in system mode: the 14th and 15th field. The second, the name in brackets, may hold blanks.
fn of_stat(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * user.checked_add(system)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_summed_whatever_the_name_is() {
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 2 3 4 120 30 5 6 20 0 4 0 99";
        assert_eq!(of_stat(stat), Some(Duration::from_millis(1_500)));
        assert_eq!(of_stat("42 (a)"), None);
    }

    #[test]
    fn this_process_is_found_and_no_other() {
        assert!(processor_time(std::process::id()).is_some());
        assert_eq!(processor_time(u32::MAX), None);
    }
}
