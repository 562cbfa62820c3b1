//! A bounded run of the fuzzer. In a process of its own, because it silences panic messages while it runs.

#[test]
fn mutated_programs_and_texts() {
    adjoin_harness::workspace::enter_root();
    let options = adjoin_harness::fuzz::Options {
        count: 400,
        seed: 1,
        seconds: 30,
    };
    assert!(
        adjoin_harness::fuzz::run(&options).expect("there are programs"),
        "see above"
    );
}
