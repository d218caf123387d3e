# Sourced by container-test: makes what stands in for the official Rust image, and for its downloads, without a network.

builder_image() { # builder_image NAME: an image of the packages that the official one has beside Rust
  # The files of these packages as they are on this machine: what every Debian has, a C compiler, and certificates. Among
  # the names are those of virtual packages, which have no files.
  local essential files container root
  essential=$(dpkg-query --show --showformat='${Essential} ${Package}\n' | awk '$1 == "yes" { print $2 }')
  files=$(
    # shellcheck disable=SC2086 # the names are words
    apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
      --no-enhances gcc libc6-dev ca-certificates $essential | grep -E '^[a-z0-9]' | sort -u \
      | { xargs dpkg-query --listfiles 2>/dev/null || true; } \
      | sed -nE '\,^/(usr/share/(doc|info|locale|man)/|package),d; s,^/(bin|sbin|lib|lib64)/,/usr/\1/,; s,^/(.),\1,p' | sort -u \
      | while read -r file; do [ ! -e "/$file" ] || echo "$file"; done
  )
  container=$(buildah from scratch)
  root=$(buildah mount "$container")
  tar --create --directory / --no-recursion --files-from=- <<<"$files" | tar --extract --directory "$root"
  ln -s gcc "$root/usr/bin/cc"
  mkdir -p "$root/tmp" "$root/usr/local/cargo" "$root/usr/local/rust"
  # In the official image Rust is under /usr/local, too.
  buildah config --env PATH=/usr/local/rust/bin:/usr/sbin:/usr/bin --env CARGO_HOME=/usr/local/cargo "$container"
  buildah commit --quiet --rm "$container" "$1" >/dev/null
}

builder_volumes() { # sets $volumes: this machine's Rust, and the crates that it has downloaded
  cargo fetch --quiet --locked
  printf '[net]\noffline = true\n' >"$work/cargo.toml"
  volumes=(
    --volume "$(rustc --print sysroot):/usr/local/rust:ro"
    --volume "${CARGO_HOME:-$HOME/.cargo}/registry:/usr/local/cargo/registry:ro"
    --volume "$work/cargo.toml:/usr/local/cargo/config.toml:ro"
  )
}
