# Runs the postmaster as our child and stops it when told to, or when our JVM is gone:
# both show as an end of standard input, since only the JVM holds the other end.
#
# usage: supervise.sh DOOMED COMMAND...
#   A line on standard input names the signal to stop with. An end of input without a line
#   means that the JVM died: the fast stop then, or, for a directory DOOMED that nobody wants
#   any more, the immediate one, and the directory goes too.
trap '' HUP INT TERM
doomed=$1
shift
exec 3<&0 </dev/null
"$@" 3<&- &
postmaster=$!

end_it() {
  signal=INT
  if read -r order <&3; then
    signal=$order
  elif [ -n "$doomed" ]; then
    signal=QUIT
    : >"$doomed/abandoned"
  fi
  kill -s "$signal" "$postmaster"
  exec 3<&-
  sleep 3
  kill -s QUIT "$postmaster"
  sleep 2
  kill -s KILL "$postmaster"
}
end_it &
ender=$!

wait "$postmaster"
code=$?
kill -s KILL "$ender"
if [ -n "$doomed" ] && [ -e "$doomed/abandoned" ]; then
  rm -rf "$doomed"
fi
exit "$code"
