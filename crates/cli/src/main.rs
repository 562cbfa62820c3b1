//! The binary `adjoin`.

fn main() -> std::process::ExitCode {
    adjoin::process::main()
}
