//! The machine: how many processors and cores it has, as far as this process may use them.

use std::collections::BTreeSet;

/// What is known of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Logical processors that this process may use.
    pub processors: usize,
    /// Cores among them; two processors of one core share it.
    pub cores: usize,
}

impl Machine {
    /// This one.
    pub fn this() -> Machine {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        let mut cores = BTreeSet::new();
        let mut found = 0;
        for k in 0.. {
            let path = format!("/sys/devices/system/cpu/cpu{k}/topology/thread_siblings_list");
            let Ok(siblings) = std::fs::read_to_string(path) else {
                break;
            };
            found += 1;
            cores.insert(siblings);
        }
        // Where the process may use a part only, nobody knows which cores those are.
        let cores = if found == processors {
            cores.len()
        } else {
            processors
        };
        Machine {
            processors,
            cores: cores.clamp(1, processors),
        }
    }

    /// 1, 2, 4, … up to all cores.
    pub fn counts(self) -> Vec<u32> {
        let most = u32::try_from(self.cores).unwrap_or(1);
        let mut counts: Vec<u32> = (0..12).map(|k| 1 << k).take_while(|n| *n < most).collect();
        counts.push(most);
        counts
    }

    /// In words.
    pub fn words(self) -> String {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        if self.cores == self.processors {
            format!("{} core{}", self.cores, plural(self.cores))
        } else {
            format!(
                "{} processors on {} core{}",
                self.processors,
                self.cores,
                plural(self.cores)
            )
        }
    }
}
