# $1: the folder of a cluster, $2: its data. Ends its processes and removes the folder as soon as standard input ends.
folder=$1
data=$2
trap '' HUP INT QUIT TERM

# `-ef` follows /proc/N/cwd inside the shell; one process for each of them would take longer than all the rest.
processes() {
  for cwd in /proc/[0-9]*/cwd; do
    if [ "$cwd" -ef "$folder" ] || [ "$cwd" -ef "$data" ]; then
      process=${cwd#/proc/}
      echo "${process%/cwd}"
    fi
  done
}

# The server's own way to end at once takes its shared memory along, which SIGKILL would leave behind.
end_server() {
  server=$(head -n 1 "$data/postmaster.pid") || return
  [ "/proc/$server/cwd" -ef "$data" ] && kill -QUIT "$server" || return
  rounds=0
  while [ "/proc/$server/cwd" -ef "$data" ] && [ "$rounds" -lt 500 ]; do
    rounds=$((rounds + 1))
    sleep 0.02
  done
}

end_the_rest() {
  while left=$(processes) && [ -n "$left" ]; do
    kill -KILL $left
    sleep 0.02
  done
}

# A server that was killed left a segment; the seventh line of its file names it: key and id.
remove_shared_memory() {
  segment=$(sed -n '7s/.* //p' "$data/postmaster.pid") || return
  [ -n "$segment" ] && ipcrm -m "$segment"
}

while read -r _; do :; done
end_server
end_the_rest
remove_shared_memory
rm -rf "$folder"
