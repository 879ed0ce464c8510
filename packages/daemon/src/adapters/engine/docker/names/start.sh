# Runs one dnsmasq for each network of the instance, so that no process knows a name of another environment.
#
# Each folder in /names belongs to one network. Its name is the address at which the resolver answers on that network,
# and its file `hosts` has the names. All processes read the file `networks`. The daemon writes the name of a folder to the pipe `wake` after it has added,
# changed or removed that folder. Arguments of this script are passed to each dnsmasq.
set -u
cd /names || exit 1
# Opened for both directions: the pipe then has a writer at any time, and never ends.
exec 3<> wake || exit 1

SECONDS_BETWEEN_CHECKS=5
known=' '

# Starts, reloads or stops the process of one folder. $1: its name. The other arguments are those for dnsmasq.
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
  # The shell forgets processes that have ended; until then `kill -0` finds them.
  jobs > /dev/null
  changed=
  for folder in $known */; do keep "${folder%/}" "$@"; done
  # A name in the pipe needs attention now. Without one, everything is checked again.
  while read -r -t "$SECONDS_BETWEEN_CHECKS" woken <&3; do
    jobs > /dev/null
    changed=yes
    keep "$woken" "$@"
  done
done
