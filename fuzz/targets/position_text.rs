#![no_main]

use arbiter_fuzz::{mutate, position_text};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| position_text::check(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::position_text(data, size, max_size, seed, fuzzer_mutate)
});
