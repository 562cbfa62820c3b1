//! The binary `adjoin`, built as part of this package: Cargo tells tests only where their own package's binaries are.

fn main() -> std::process::ExitCode {
    adjoin::process::main()
}
