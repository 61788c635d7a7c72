#!/bin/sh
# Sends a file of any size, and goes on after a broken line: sh send.sh FILE [NAME]
# MAYFLY_URL is the site, MAYFLY_KEY an API key, MAYFLY_EXPIRES how long the link works, such as 1d.
set -eu
fail() { echo "send.sh: $1" >&2; exit 1; }
file=${1:?Usage: sh send.sh FILE [NAME]}
name=${2:-${file##*/}}
url=${MAYFLY_URL:?Set MAYFLY_URL to the address of the site.}
key=${MAYFLY_KEY:?Set MAYFLY_KEY to an API key.}
test -f "$file" || fail "There is no file $file."
test -r "$file" || fail "You may not read the file $file."
size=$(wc -c <"$file" | tr -d ' ')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# Prints the status, or 000 without an answer. The key goes through standard input, where other users cannot see it.
call() { : >"$work/body"; curl -sS -o "$work/body" -D "$work/head" -w '%{http_code}' -H 'Tus-Resumable: 1.0.0' "$@" || true; }
header() { tr -d '\r' <"$work/head" | awk -v name="$1:" 'tolower($1) == name { value = $2 } END { print value }'; }
base64_of() { printf %s "$1" | base64 | tr -d '\n'; }
# The site answers JSON, with a message in words.
refused() {
  words=$(sed 's/.*"message":"\([^"]*\)".*/\1/' "$work/body")
  fail "${words:-The site answered $1.}"
}

metadata="filename $(base64_of "$name")"
test -z "${MAYFLY_EXPIRES:-}" || metadata="$metadata,expires $(base64_of "$MAYFLY_EXPIRES")"
status=$(printf 'header = "Authorization: Bearer %s"\n' "$key" | call -K - -X POST \
  -H "Upload-Length: $size" -H "Upload-Metadata: $metadata" "${url%/}/api/v1/tus")
test "$status" != 000 || fail "Nothing answers at $url."
test "$status" = 201 || refused "$status"
address=$(header location)
case $address in /*) address=${url%/}$address ;; esac
link=$(header mayfly-link)

offset=0
failures=0
while test "$offset" -lt "$size"; do
  before=$offset
  status=$(tail -c +$((offset + 1)) <"$file" | head -c 16777216 | call -X PATCH --data-binary @- \
    -H 'Content-Type: application/offset+octet-stream' -H "Upload-Offset: $offset" "$address")
  case $status in
  204) offset=$(header upload-offset) ;;
  400 | 401 | 403 | 404 | 410 | 413 | 415) refused "$status" ;;
  *)
    sleep "$failures"
    status=$(call --head "$address")
    case $status in
    200 | 204) offset=$(header upload-offset) ;;
    401 | 403 | 404 | 410) fail "The upload has ended, or the key no longer works. Start again." ;;
    esac
    ;;
  esac
  if test "$offset" -gt "$before"; then failures=0; else failures=$((failures + 1)); fi
  test "$failures" -le 20 || fail "Nothing arrives any more. Start again later."
  printf '\r%s %%' $((offset * 100 / size)) >&2
done
echo >&2
echo "$link"
