# Runs one dnsmasq per network of the instance, so that no process has names of another environment.
#
# Each folder in /names belongs to one network. The name of the folder is the address at which the resolver answers on
# that network, and the file `hosts` in the folder has the names. All processes read the file `networks`. After the
# daemon has added, changed or removed a folder, it writes the name of the folder to the pipe `wake`. The arguments of
# this script are passed to each dnsmasq.
set -u
cd /names || exit 1
# The pipe is opened for reading and writing. The pipe then always has a writer, so reads never reach its end.
exec 3<> wake || exit 1

SECONDS_BETWEEN_CHECKS=5
known=' '

# Starts, reloads or stops the process of one folder. $1 is the name of the folder. The other arguments are for dnsmasq.
keep() {
  address=$1
  shift
  case $address in '' | *[!0-9.]*) return ;; esac
  variable=pid_${address//./_}
  eval "pid=\${$variable:-}"
  running=
  [ -n "$pid" ] && kill -0 "$pid" 2> /dev/null && running=yes
  if [ ! -f "$address/hosts" ]; then
    [ -n "$running" ] && kill "$pid"
    eval "$variable="
  elif [ -n "$running" ]; then
    [ -n "$changed" ] && kill -HUP "$pid"
  else
    dnsmasq --listen-address="$address" --addn-hosts="/names/$address/hosts" "$@" 3<&- &
    eval "$variable=$!"
    case $known in *" $address "*) ;; *) known="$known$address " ;; esac
  fi
}

while :; do
  # `kill -0` succeeds for exited processes until `jobs` has removed them from the job list of the shell.
  jobs > /dev/null
  changed=
  for folder in $known */; do keep "${folder%/}" "$@"; done
  # Folders whose names arrive in the pipe are handled immediately. After a timeout, all folders are checked again.
  while read -r -t "$SECONDS_BETWEEN_CHECKS" woken <&3; do
    jobs > /dev/null
    changed=yes
    keep "$woken" "$@"
  done
done
