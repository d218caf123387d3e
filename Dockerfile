# The image of the service: one static binary and nothing else. It needs no writable file system, no capabilities, and no
# user but a number.
#
#   docker build --tag arbiter .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --stop-timeout 30 --publish 50051:50051 arbiter
#
# Stopping takes up to ARBITER_DRAIN_DELAY and ARBITER_DRAIN_LIMIT together, 25 s, where Docker waits for only 10.

ARG RUST_VERSION=1.95
FROM rust:${RUST_VERSION}-slim-bookworm AS build
WORKDIR /src
COPY . .
# Static, for the processor that the image is built on (amd64 or arm64). The flag is given so, and not in RUSTFLAGS, which
# would hide those of .cargo/config.toml. The target is named so that the flag does not reach build scripts. The mounts
# keep what was downloaded and compiled for the next build.
RUN --mount=type=cache,sharing=locked,target=/usr/local/cargo/registry \
    --mount=type=cache,sharing=locked,target=/src/target \
    target="$(uname -m)-unknown-linux-gnu" \
    && cargo build --release --locked --target "$target" \
        --config 'target."cfg(all())".rustflags = ["-C", "target-feature=+crt-static"]' \
    && cp "target/$target/release/arbiter" /arbiter

FROM scratch
# The version of Cargo.toml, and the commit.
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="arbiter" \
      org.opencontainers.image.description="A stateless gRPC service that knows the exact rules of eight chess variants" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /arbiter /arbiter
# A number, since there is no /etc/passwd, and so that `runAsNonRoot` can be checked.
USER 65532:65532
# Calls come in on 50051, without TLS unless ARBITER_TLS_CERT and ARBITER_TLS_KEY name files; metrics and probes on 9090.
ENV ARBITER_LISTEN=0.0.0.0:50051 \
    ARBITER_INSECURE=true \
    ARBITER_ADMIN_LISTEN=0.0.0.0:9090 \
    ARBITER_LOG_FORMAT=json
EXPOSE 50051 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/arbiter", "healthcheck"]
ENTRYPOINT ["/arbiter"]
CMD ["serve"]
