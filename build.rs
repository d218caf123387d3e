//! Compiles the contract in `proto/` without protoc.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

const PROTO: &str = "proto";

fn main() -> Result<(), Box<dyn Error>> {
    // tonic-prost-build prints no such line of its own for descriptors that were compiled elsewhere.
    println!("cargo::rerun-if-changed={PROTO}");
    // All files, since no service file needs the one that lists the reasons of errors.
    let files = proto_files(&Path::new(PROTO).join("arbiter/v1"))?;
    let descriptors = protox::compile(files, [PROTO])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        // Undecodable requests are the caller's fault, which tonic's own codec does not say.
        .codec_path("crate::grpc::codec::Codec")
        .compile_fds_with_config(descriptors, with_names())?;
    Ok(())
}

/// Messages know their names, by which requests are told from answers.
fn with_names() -> tonic_prost_build::Config {
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    config
}

fn proto_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    Ok(files)
}
