# Functions for the scripts that run test cases and count their results. The caller sets `work` to a temporary folder.
passed=0 failed=0 skipped=0

# test_case NAME COMMAND [ARGUMENT...]: runs a test; its exit status 77 means that it was skipped.
test_case() {
  local name=$1 status
  shift
  # errexit would be ignored in a subshell before `||`.
  set +e
  (set -e && "$@") >"$work/log" 2>&1
  status=$?
  set -e
  case $status in
    0)
      echo "passed: $name$(sed -n 's/^measured: /: /p' "$work/log")"
      passed=$((passed + 1))
      ;;
    77)
      echo "skipped: $name: $(sed -n 's/^skipped: //p' "$work/log" | tail -n 1)"
      skipped=$((skipped + 1))
      ;;
    *)
      echo "FAILED: $name"
      sed 's/^/    /' "$work/log"
      failed=$((failed + 1))
      ;;
  esac
}

skip() {
  echo "skipped: $*"
  exit 77
}

# Prints the number of results, and fails if a test failed.
report_cases() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}
