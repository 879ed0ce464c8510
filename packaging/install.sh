#!/bin/sh
# Installs, upgrades or removes a release of Davit on Debian and Ubuntu.
#
# Everything is in one function, which the last line calls. A script that was only partly downloaded does nothing.
davit_install() {
  set -eu
  umask 022
  export LC_ALL=C

  opt=/opt/davit
  link=/usr/local/bin/davit
  etc=/etc/davit
  settings=$etc/davit.env
  known_key=$etc/release.gpg
  unit=/etc/systemd/system/davit.service
  run_dir=/run/davit
  pid_file=$run_dir/supervisor.pid
  ready_s=600
  stop_s=60

  from='' wanted='' key='' unsigned='' allow_older='' dry='' uninstall='' scratch=''
  new_settings=''

  usage() {
    cat <<'TEXT'
Usage: install.sh --from FILE|URL [options]    installs or upgrades Davit
       install.sh --uninstall [--dry-run]      removes Davit; keeps data, settings and containers

  --from FILE|URL       archive of a release, or a folder or URL (with a slash at the end) that contains it
  --version VERSION     version to install; required for a URL of a folder, and for a folder with several releases
  --key FILE            public OpenPGP key of the releases; later runs use it again
  --unsigned            installs without a check of the signature, if no key is known
  --allow-older         installs a version that is lower than the installed version
  --data-dir FOLDER     data directory (default: /var/lib/davit)
  --domain NAME         host name of the instance
  --listen ADDRESS:PORT address of the API and the dashboard (default: 127.0.0.1:3000)
  --http-port PORT      port of the proxy for HTTP (default: 80)
  --https-port PORT     port of the proxy for HTTPS (default: 443)
  --registry-port PORT  port of the registry on 127.0.0.1 (default: 5000)
  --engine NAME         docker (default), or memory to simulate containers
  --dry-run             only prints the changes
TEXT
  }

  say() { printf '%s\n' "$*"; }
  note() { printf '! %s\n' "$*"; }
  fail() {
    printf '✗ %s\n' "$*" >&2
    exit 1
  }

  # Runs a command, or prints it in a dry run.
  run() {
    if [ -n "$dry" ]; then
      printf 'would run: %s\n' "$*"
    else
      "$@"
    fi
  }

  # Runs a command with the rights of the daemon, and without the environment and the terminal of root. The user of the
  # daemon can replace all files of the data directory with links.
  as_user() {
    env -i PATH="$PATH" setsid --wait setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups "$@" </dev/null
  }

  # Replaces the content of a file with standard input: write_file PATH MODE
  write_file() {
    if [ -n "$dry" ]; then
      printf 'would write: %s\n' "$1"
      cat >/dev/null
    else
      mkdir -p "$(dirname "$1")"
      cat >"$1.new"
      chmod "$2" "$1.new"
      mv -f "$1.new" "$1"
    fi
  }

  exists() { command -v "$1" >/dev/null 2>&1; }
  has_systemd() { [ -d /run/systemd/system ]; }

  # --- arguments ---

  is_port() {
    case $1 in
      *[!0-9]* | 0* | ??????*) return 1 ;;
    esac
    [ "$1" -le 65535 ]
  }

  # Fails if a value does not fit its variable: check_value VARIABLE VALUE NAME. The value must not contain
  # characters that a shell or systemd expands.
  check_value() {
    case $2 in
      '') fail "The value of $3 is empty." ;;
      *[!]A-Za-z0-9._:/@,[-]*) fail "The value of $3 has a character that is not allowed, such as a quote or a space: $2" ;;
    esac
    case $1=$2 in
      DAVIT_DATA_DIR=/* | DAVIT_ENGINE=auto | DAVIT_ENGINE=docker | DAVIT_ENGINE=memory) ;;
      DAVIT_DATA_DIR=*) fail "The value of $3 is not an absolute path: $2" ;;
      DAVIT_ENGINE=*) fail "The value of $3 is not \"auto\", \"docker\" or \"memory\": $2" ;;
      DAVIT_*_PORT=*) is_port "$2" || fail "The value of $3 is not a port: $2" ;;
    esac
  }

  # Remembers a setting of the daemon that an option contains: setting VARIABLE VALUE
  setting() {
    check_value "$1" "$2" "$option"
    new_settings="$new_settings$1=$2
"
  }

  read_arguments() {
    while [ $# -gt 0 ]; do
      option=$1
      case $option in
        --unsigned | --allow-older | --dry-run | --uninstall | --help | -h) value='' ;;
        --*=*)
          value=${option#*=}
          option=${option%%=*}
          ;;
        *)
          [ $# -ge 2 ] || fail "$option needs a value. See install.sh --help."
          value=$2
          shift
          ;;
      esac
      shift
      case $option in
        --unsigned) unsigned=1 ;;
        --allow-older) allow_older=1 ;;
        --dry-run) dry=1 ;;
        --uninstall) uninstall=1 ;;
        --help | -h)
          usage
          exit 0
          ;;
        --from) from=$value ;;
        --version) wanted=${value#v} ;;
        --key) key=$value ;;
        --data-dir) setting DAVIT_DATA_DIR "$value" ;;
        --domain) setting DAVIT_DOMAIN "$value" ;;
        --listen) setting DAVIT_LISTEN "$value" ;;
        --http-port) setting DAVIT_HTTP_PORT "$value" ;;
        --https-port) setting DAVIT_HTTPS_PORT "$value" ;;
        --registry-port) setting DAVIT_REGISTRY_PORT "$value" ;;
        --engine) setting DAVIT_ENGINE "$value" ;;
        *) fail "There is no option \"$option\". See install.sh --help." ;;
      esac
    done
  }

  # Prints a setting: value_of VARIABLE DEFAULT. An option of this run has priority over the settings file.
  value_of() {
    found=$( { cat "$settings" 2>/dev/null || :; printf '\n%s' "$new_settings"; } | sed -n "s/^[[:blank:]]*$1=//p" | tail -n 1)
    printf '%s\n' "${found:-$2}"
  }

  # --- checks that change nothing ---

  # Checks the settings that this script reads. An operator may have changed the file.
  check_settings() {
    for variable in DAVIT_DATA_DIR DAVIT_ENGINE DAVIT_HTTP_PORT DAVIT_HTTPS_PORT; do
      value=$(value_of "$variable" '')
      [ -z "$value" ] || check_value "$variable" "$value" "$variable in $settings"
    done
  }

  check_machine() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail 'Run this script as root, for example with sudo.'
    os=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}") || os='unknown '
    case $os in
      'debian 12' | 'debian 13' | 'ubuntu 22.04' | 'ubuntu 24.04') ;;
      *) fail "Davit has no installer for $(. /etc/os-release 2>/dev/null && printf '%s' "${PRETTY_NAME:-$os}"). It supports Debian 12 and 13, and Ubuntu 22.04 and 24.04." ;;
    esac
    case $(uname -m) in
      x86_64) arch=x64 ;;
      aarch64) arch=arm64 ;;
      *) fail "Davit has no release for the architecture $(uname -m). It supports x86_64 and aarch64." ;;
    esac
  }

  # Prints the program that listens on a TCP port as "name (process 123)", or nothing.
  listener() {
    port_hex=$(printf '%04X' "$1")
    inodes=$(awk -v port=":$port_hex" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null || :)
    [ -n "$inodes" ] || return 0
    for inode in $inodes; do
      fd=$(find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\\[$inode\\]" -print -quit 2>/dev/null || :)
      [ -n "$fd" ] || continue
      pid=${fd#/proc/}
      pid=${pid%%/*}
      printf '%s (process %s)\n' "$(cat "/proc/$pid/comm" 2>/dev/null)" "$pid"
      return 0
    done
    printf 'another program\n'
  }

  # The proxy of an installed instance keeps its ports while the instance is upgraded.
  check_port() {
    taker=$(listener "$1")
    [ -n "$taker" ] || return 0
    case $taker in
      'haproxy ('*) [ ! -e "$data/davit.db" ] || return 0 ;;
    esac
    fail "Port $1 is in use by $taker. Stop this program (for a service: systemctl disable --now NAME), or choose another port with $2."
  }

  check_space() {
    free_kb=$(df -Pk /opt | awk 'NR == 2 { print $4 }')
    [ "$free_kb" -ge 1048576 ] || fail "/opt has $((free_kb / 1024)) MiB of free space. Davit needs at least 1024 MiB."
    memory_kb=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
    [ "$memory_kb" -ge 900000 ] || note "This server has $((memory_kb / 1024)) MiB of memory. Davit and one small app need about 1 GiB."
  }

  # --- the archive ---

  # Downloads a file. A redirect from HTTPS must not lead to HTTP.
  fetch() {
    case $1 in
      https://*) protocols='=https' ;;
      *) protocols='=http,https' ;;
    esac
    curl --proto "$protocols" --fail --silent --show-error --location --output "$2" "$1"
  }

  # Copies a file of the release to the scratch folder: get NAME
  get() {
    case $base in
      http://* | https://*) fetch "$base/$1" "$scratch/$1" ;;
      *) cp -- "$base/$1" "$scratch/$1" ;;
    esac
  }

  # Sets `base` (folder or URL of the release) and `archive` (name of its file).
  find_archive() {
    case $from in
      *.tar.gz)
        archive=${from##*/}
        base=${from%"$archive"}
        case $base in
          '') base=. ;;
          /) ;;
          *) base=${base%/} ;;
        esac
        case $archive in
          davit-*-linux-$arch.tar.gz) ;;
          davit-*-linux-*.tar.gz) fail "$archive is for another architecture. This server needs linux-$arch." ;;
          *) fail "The file name $archive is not valid. A release has a name such as davit-VERSION-linux-$arch.tar.gz." ;;
        esac
        version=${archive#davit-}
        version=${version%-linux-*}
        [ -z "$wanted" ] || [ "$wanted" = "$version" ] || fail "$archive is not version $wanted."
        ;;
      *)
        base=${from%/}
        version=$wanted
        [ -n "$version" ] || version=$(only_version)
        archive=davit-$version-linux-$arch.tar.gz
        ;;
    esac
    case $version in
      '' | *[!A-Za-z0-9.+-]* | .*) fail "\"$version\" is not a version." ;;
    esac
    case $base in
      http://* | https://*) ;;
      *) [ -f "$base/$archive" ] || fail "The file $base/$archive does not exist." ;;
    esac
  }

  # Prints the version of the only archive in a folder.
  only_version() {
    count=0
    found=''
    for file in "$base"/davit-*-linux-"$arch".tar.gz; do
      [ -f "$file" ] || continue
      count=$((count + 1))
      found=${file##*/davit-}
    done
    [ "$count" = 1 ] || fail "There are $count releases for linux-$arch in $base. Choose one with --version."
    printf '%s\n' "${found%-linux-*}"
  }

  # Returns whether a version is lower than another one. A preview such as 1.2.0-rc.1 is lower than 1.2.0.
  is_lower() { ! printf '%s\n' "$2" "$1" | sed -e 's/+.*//' -e 's/-/~/' | sort --version-sort --check=quiet; }

  # An old release has a valid signature too, but may have known faults. It also may not know the present database.
  check_age() {
    installed=${previous##*/}
    [ -n "$installed" ] && [ -z "$allow_older" ] || return 0
    ! is_lower "$version" "$installed" ||
      fail "Version $version is lower than the installed version $installed. To install it anyway, add --allow-older."
  }

  verify() {
    get SHA256SUMS || fail "There is no file SHA256SUMS beside $archive, so the archive cannot be checked."
    if [ -n "$key" ]; then
      exists gpgv || install_packages gpgv
      get SHA256SUMS.sig || fail "The release has no signature (SHA256SUMS.sig), but a key is set. Nothing was changed."
      case $key in
        /*) ;;
        *) key=./$key ;;
      esac
      gpgv --keyring "$key" "$scratch/SHA256SUMS.sig" "$scratch/SHA256SUMS" >"$scratch/gpgv.log" 2>&1 || {
        cat "$scratch/gpgv.log" >&2
        fail "The signature of the release does not match the key $key. Nothing was changed."
      }
      say "✓ signature ($key)"
    else
      note 'The signature of the release was not checked (--unsigned).'
    fi
    get "$archive"
    (cd "$scratch" && grep "^[0-9a-f]\{64\}  $archive\$" SHA256SUMS | sha256sum --check --status --strict) ||
      fail "The digest of $archive differs from SHA256SUMS. Download it again. Nothing was changed."
    say "✓ digest of $archive"
  }

  # --- packages of the distribution ---

  apt() { DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=60 --quiet --yes "$@"; }

  install_packages() {
    if [ -n "$dry" ]; then
      say "would install: $*"
      return 0
    fi
    say "installing $*"
    # An interrupted run of this script may have left packages half installed.
    [ -z "$(dpkg --audit)" ] || dpkg --configure -a >"$scratch/apt.log" 2>&1 || :
    apt install --no-install-recommends "$@" >"$scratch/apt.log" 2>&1 && return 0
    # The package lists may be missing or outdated.
    apt update >"$scratch/apt.log" 2>&1 && apt install --no-install-recommends "$@" >"$scratch/apt.log" 2>&1 && return 0
    tail -n 12 "$scratch/apt.log" >&2
    fail "apt-get could not install $*. If the text above does not help, run: apt-get install $*"
  }

  # The package docker.io of Debian 13 contains no client, so the runtime of the release sends the request.
  engine_answers() {
    [ -S /var/run/docker.sock ] || return 1
    "$made/runtime/node" -e 'require("node:http").get({ socketPath: "/var/run/docker.sock", path: "/_ping" },
      ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on("error", () => process.exit(1))'
  }

  start_engine() {
    if has_systemd; then
      systemctl enable --quiet --now docker
      return 0
    fi
    # The init script also mounts the control groups, which systemd does elsewhere.
    service docker start >"$scratch/docker.log" 2>&1 && return 0
    # In a container, the init script may fail, because only the server may raise a limit that the script raises.
    setsid dockerd >>/var/log/docker.log 2>&1 </dev/null &
  }

  ensure_engine() {
    [ "$(value_of DAVIT_ENGINE docker)" != memory ] || return 0
    if ! exists dockerd; then
      # Docker counts the downloads of all projects together. One slow registry must not block the others.
      [ -e /etc/docker/daemon.json ] || printf '{\n  "max-concurrent-downloads": 100000\n}\n' | write_file /etc/docker/daemon.json 0644
      install_packages docker.io iptables ca-certificates
    fi
    [ -z "$dry" ] || return 0
    engine_answers && return 0
    start_engine
    waited=0
    until engine_answers; do
      waited=$((waited + 1))
      [ "$waited" -lt 60 ] || fail 'Docker does not respond. Its log: journalctl -u docker, or /var/log/docker.log.'
      sleep 1
    done
  }

  # --- files ---

  # The daemon keeps the owner of an existing data directory, so that it can read its files.
  choose_user() {
    user=davit
    if [ -e "$data/davit.db" ]; then user=$(stat -L -c %U "$data"); fi
    [ "$user" != UNKNOWN ] || fail "The owner of the folder $data has no name on this server. Create the user, or change the owner."
    [ "$user" = davit ] || return 0
    if ! id davit >/dev/null 2>&1; then
      run useradd --system --user-group --no-create-home --home-dir "$data" --shell /usr/sbin/nologin davit
    fi
    # In a dry run, the package that creates the group may not be installed.
    if [ "$(value_of DAVIT_ENGINE docker)" != memory ]; then run usermod --append --groups docker davit; fi
  }

  # Unpacks the archive into the scratch folder `made`, and checks that it runs.
  unpack() {
    made=$scratch/davit-$version
    [ -z "$dry" ] || return 0
    tar -xzf "$scratch/$archive" -C "$scratch" --no-same-owner
    [ "$(cat "$made/VERSION" 2>/dev/null)" = "$version" ] || fail "$archive does not contain version $version."
    # A minimal Debian lacks this library of Node.
    "$made/runtime/node" --version >/dev/null 2>&1 || install_packages libatomic1
    "$made/runtime/node" --version >/dev/null || fail 'The runtime of the release does not run on this server.'
    chown -R 0:0 "$made"
  }

  prepare_data() {
    # A folder of another program must keep its owner and its mode.
    if [ -n "$(ls -A "$data" 2>/dev/null)" ] && [ ! -e "$data/davit.db" ] && [ "$(stat -L -c %U "$data")" != davit ]; then
      fail "The folder $data contains files of other programs. Choose an empty folder with --data-dir."
    fi
    # The user of an instance may own the parent folder too, and replace the data directory with a link.
    [ -e "$data/davit.db" ] || run install -d -m 0700 -o "$user" -g "$(id -gn "$user" 2>/dev/null || printf '%s' "$user")" "$data"
  }

  # Deletes folders of versions that place_files has replaced. An interruption may have left a version without a folder.
  # The old folder then returns.
  clean_replaced() {
    for replaced in "$opt"/.old-*; do
      [ -d "$replaced" ] || continue
      if [ -e "$opt/${replaced##*/.old-}" ]; then
        rm -rf "$replaced"
      else
        mv "$replaced" "$opt/${replaced##*/.old-}"
      fi
    done
  }

  # Makes the new version the current one. Running programs keep the files of the old folder until they end.
  place_files() {
    [ ! -e "$opt/$version" ] || run mv "$opt/$version" "$opt/.old-$version"
    run mv "$made" "$opt/$version"
    relink "$version" "$opt/current"
    run mkdir -p "$(dirname "$link")"
    relink "$opt/current/bin/davit" "$link"
  }

  # Replaces a symbolic link at once: relink TARGET PATH
  relink() {
    run ln -sfn "$1" "$2.new"
    run mv -fT "$2.new" "$2"
  }

  write_settings() {
    [ -n "$new_settings" ] || [ ! -e "$settings" ] || return 0
    { cat "$settings" 2>/dev/null || printf '# Settings of Davit. Restart Davit after a change.\n'
      printf '\n%s' "$new_settings"; } |
      awk -F= '/^#/ { print; next } NF { order[$1] || (order[$1] = ++n); name[order[$1]] = $1; line[$1] = $0 } END { for (i = 1; i <= n; i++) print line[name[i]] }' |
      write_file "$settings" 0644
  }

  write_unit() {
    home=yes
    case $data in
      /home/* | /root/*) home=no ;;
    esac
    group=''
    [ "$(value_of DAVIT_ENGINE docker)" = memory ] || group=docker
    sed -e "s|@USER@|$user|" -e "s|@DATA@|$data|" -e "s|@HOME@|$home|" -e "s|@GROUP@|$group|" \
      "$opt/current/share/davit.service" | write_file "$unit" 0644
  }

  # --- start and stop ---

  supervisor_pid() {
    pid=$(cat "$pid_file" 2>/dev/null) || return 1
    grep -q davit-supervise "/proc/$pid/cmdline" 2>/dev/null || return 1
    printf '%s\n' "$pid"
  }

  stop_supervisor() {
    pid=$(supervisor_pid) || return 0
    run kill -TERM "$pid"
    [ -z "$dry" ] || return 0
    # In a container, nothing may collect the ended process, so its folder in /proc may stay.
    waited=0
    while supervisor_pid >/dev/null; do
      [ "$waited" -lt $((stop_s * 5)) ] ||
        fail "Davit did not stop within $stop_s seconds. End it with \"kill -KILL $(cat "/proc/$pid/task/$pid/children" 2>/dev/null)$pid\", then run this script again."
      waited=$((waited + 1))
      sleep 0.2
    done
  }

  start() {
    if [ -n "$dry" ]; then
      if has_systemd; then say 'would start: davit.service'; else say 'would start: davit-supervise'; fi
      return 0
    fi
    if has_systemd; then
      write_unit
      systemctl daemon-reload
      systemctl enable --quiet davit
      # The old daemon must not answer the request that waits for the new one.
      systemctl stop davit
      systemctl start --no-block davit
    else
      stop_supervisor
      mkdir -p "$run_dir"
      # The supervisor outlives this script and its terminal.
      setsid "$opt/current/bin/davit-supervise" "$user" "$data" "$settings" "$pid_file" </dev/null >/dev/null 2>&1 &
      note "This server has no systemd. Davit runs in the background, but does not start at boot. Start it with: $opt/current/bin/davit-supervise $user $data $settings $pid_file"
    fi
  }

  # Prints how often the daemon ended since its start.
  failures() {
    if has_systemd; then
      systemctl show --property NRestarts --value davit
    else
      cat "$run_dir/failures" 2>/dev/null || echo 0
    fi
  }

  print_log() {
    if has_systemd; then
      journalctl --unit davit --lines 20 --no-pager >&2 || :
    else
      # The log may be a pipe, or contain commands for the terminal.
      as_user timeout 10 tail -n 20 "$data/davit.log" | tr -d '\000-\010\013-\037\177' >&2 || :
    fi
  }

  # Waits until the instance is ready, then prints its addresses. The first start builds images for the proxy.
  wait_ready() {
    [ -z "$dry" ] || return 0
    say 'starting Davit (the first start takes one to two minutes)'
    waited=0
    until "$opt/current/runtime/node" "$opt/current/share/ready.mjs" "$data"; do
      waited=$((waited + 1))
      if [ "$(failures)" -ge 2 ] || [ "$waited" -gt "$ready_s" ]; then
        print_log
        fail 'Davit is installed but not ready. Solve the problem above, then run this script again.'
      fi
      sleep 1
    done
  }

  print_firewall() {
    ports="$(value_of DAVIT_HTTP_PORT 80) $(value_of DAVIT_HTTPS_PORT 443)"
    if exists ufw && ufw status 2>/dev/null | grep -q '^Status: active'; then
      say 'The firewall ufw is active. To let users reach your apps, run:'
      for port in $ports; do say "  ufw allow $port/tcp"; done
    fi
    if exists firewall-cmd && [ "$(firewall-cmd --state 2>/dev/null)" = running ]; then
      say 'The firewall firewalld is active. To let users reach your apps, run:'
      for port in $ports; do say "  firewall-cmd --permanent --add-port=$port/tcp"; done
      say '  firewall-cmd --reload'
    fi
  }

  # --- commands ---

  make_scratch() {
    if [ -n "$dry" ]; then
      scratch=$(mktemp -d)
    else
      mkdir -p "$opt"
      # Folders of interrupted runs.
      rm -rf "$opt"/.install-*
      clean_replaced
      scratch=$(mktemp -d "$opt/.install-XXXXXX")
    fi
    trap '[ -n "$dry" ] || clean_replaced; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
  }

  remove_old() {
    for old in "$opt"/[0-9]*; do
      [ -d "$old" ] || continue
      [ "$old" = "$opt/$version" ] || [ "$old" = "$previous" ] || run rm -rf "$old"
    done
  }

  install_davit() {
    [ -n "$from" ] || fail 'Specify the archive of a release with --from. See install.sh --help.'
    check_machine
    check_settings
    data=$(value_of DAVIT_DATA_DIR /var/lib/davit)
    find_archive
    check_space
    check_port "$(value_of DAVIT_HTTP_PORT 80)" --http-port
    check_port "$(value_of DAVIT_HTTPS_PORT 443)" --https-port
    [ -n "$key" ] || [ ! -f "$known_key" ] || key=$known_key
    [ -z "$key" ] || [ -f "$key" ] || fail "The key file $key does not exist."
    [ -n "$key$unsigned" ] || fail 'No public key of the releases is known. Name its file with --key, or skip the check of the signature with --unsigned.'
    previous=''
    [ ! -L "$opt/current" ] || previous=$(readlink -f "$opt/current")
    check_age
    make_scratch
    case $base in
      http://* | https://*) exists curl || install_packages curl ca-certificates ;;
    esac
    case $dry$base in
      1http://* | 1https://*) say "would download: $base/$archive" ;;
      *) verify ;;
    esac
    unpack
    ensure_engine
    choose_user
    prepare_data
    place_files
    write_settings
    [ -z "$key" ] || [ "$key" = "$known_key" ] || write_file "$known_key" 0644 <"$key"
    start
    wait_ready
    remove_old
    print_firewall
  }

  uninstall_davit() {
    check_machine
    data=$(value_of DAVIT_DATA_DIR /var/lib/davit)
    if has_systemd && [ -e "$unit" ]; then
      run systemctl disable --quiet --now davit
      run rm -f "$unit"
      run systemctl daemon-reload
    fi
    stop_supervisor
    run rm -rf "$opt" "$link" "$run_dir"
    say "Davit is removed. Apps and the proxy still run in their containers. The installer kept the data in $data, the settings in $etc, the user davit and Docker."
  }

  read_arguments "$@"
  if [ -n "$uninstall" ]; then uninstall_davit; else install_davit; fi
}

davit_install "$@"
