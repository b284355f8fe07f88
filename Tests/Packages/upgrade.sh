#!/bin/bash
# Runs the installed service under `systemd --user` while the package is upgraded and then purged. The script runs as
# the user manager's user (Tests/Peers/user_systemd.sh); the packages are changed outside, when a file in /exchange
# requests it.
source "$(dirname "$0")/common.sh"
cd "$HOME"

readonly PROGRAM=/usr/libexec/homeline/homelined
property() { systemctl --user show --property "$1" --value homeline; }
program() { readlink "/proc/$(property MainPID)/exe"; }
expect_active() { [ "$(property ActiveState)" = active ] || fail "the service is $(property ActiveState): $(journalctl --user -u homeline -n 20)"; }

# Logs in to an account whose secret is in a file that only LoadCredential= passes to the service, as in docs/how-to/systemd.md.
use_credential() {
  local server sandbox drop_in=.config/systemd/user/homeline.service.d/credential.conf
  homeline sandbox --port 0 >sandbox.out 2>&1 </dev/null &
  sandbox=$!
  until grep -q '^consumer secret:' sandbox.out; do
    kill -0 "$sandbox" 2>/dev/null || fail "the sandbox: $(<sandbox.out)"
    sleep 0.1
  done
  server=$(sed -n 's/^server: *//p' sandbox.out)
  mkdir -p .config/homeline/config.d "${drop_in%/*}"
  install -m 600 /dev/stdin .config/homeline/bird.secret < <(sed -n 's/^consumer secret: *//p' sandbox.out)
  cat >.config/homeline/config.d/bird.json <<ACCOUNT
{ "provider": "twitter", "consumer_key": "sandbox", "consumer_secret": { "credential": "homeline-bird" }, "keep_posts": 20,
  "refresh_seconds": 86400,
  "endpoints": { "request_token": "$server/oauth/request_token", "authorize": "$server/oauth/authorize",
    "access_token": "$server/oauth/access_token", "verify_credentials": "$server/1.1/account/verify_credentials.json",
    "home_timeline": "$server/1.1/statuses/home_timeline.json" } }
ACCOUNT
  systemctl --user restart homeline || fail "a restart: $(journalctl --user -u homeline -n 20)"
  BROWSER=$HOME/browser.sh homeline login bird --timeout 20 >login.log 2>&1 && fail "a login without the credential succeeds"
  grep -qi credential login.log || fail "the missing credential is not mentioned: $(<login.log)"
  printf '[Service]\nLoadCredential=homeline-bird:%%h/.config/homeline/bird.secret\n' >"$drop_in"
  systemctl --user daemon-reload
  systemctl --user restart homeline || fail "a restart with a credential: $(journalctl --user -u homeline -n 20)"
  BROWSER=$HOME/browser.sh homeline login bird --timeout 60 >login.log 2>&1 || fail "a login with the credential: $(<login.log)"
  [ "$(homeline show bird --format jsonl --limit 100 | wc -l)" = 20 ] || fail "the posts of bird: $(homeline status)"
  rm .config/homeline/config.d/bird.json "$drop_in"
  systemctl --user daemon-reload
  systemctl --user restart homeline || fail "a restart without the credential: $(journalctl --user -u homeline -n 20)"
  kill "$sandbox"
  wait "$sandbox" || true
}

configure
systemctl --user enable --now --quiet homeline || fail "the service does not start: $(journalctl --user -u homeline -n 20)"
use_homeline
use_credential
expect_active
[ "$(program)" = "$PROGRAM" ] || fail "the service runs $(program)"
process=$(property MainPID)
token=$(<.local/state/homeline/demo/token.json)
homeline export >exported

touch /exchange/started
await upgraded
[ "$(property MainPID)" = "$process" ] || fail "the upgrade restarted the service"
[ "$(program)" = "$PROGRAM (deleted)" ] || fail "after the upgrade, the service runs $(program)"
expect_active
homeline -v refresh demo >refresh.log 2>&1 || [ $? = 75 ] || fail "a refresh by the old service: $(<refresh.log)"
grep -q 'is older than the installed files. Restart it: systemctl --user restart homeline' refresh.log || fail "no note: $(<refresh.log)"
homeline login demo --no-browser --press-authorise >login.log 2>&1 || fail "a login through the old service: $(<login.log)"
token=$(<.local/state/homeline/demo/token.json)

# As docs/how-to/install.md says.
systemctl --user daemon-reload
systemctl --user restart homeline || fail "the service does not restart: $(journalctl --user -u homeline -n 20)"
expect_active
[ "$(property MainPID)" != "$process" ] || fail "the service was not restarted"
[ "$(program)" = "$PROGRAM" ] || fail "after the restart, the service runs $(program)"
[ "$(<.local/state/homeline/demo/token.json)" = "$token" ] || fail "the new service changed the token"
homeline refresh demo >refresh.log 2>&1 || [ $? = 75 ] || fail "a refresh by the new service: $(<refresh.log)"
grep -q 'older than' refresh.log && fail "a note after the restart: $(<refresh.log)"
homeline export >exported.new
ids() { grep -o '^{"id":"[0-9]*"' "$1" | sort; }
[ -n "$(ids exported)" ] || fail "there are no posts: $(head -c 400 exported)"
[ -z "$(comm -23 <(ids exported) <(ids exported.new))" ] || fail "posts are missing after the upgrade"

touch /exchange/restarted
await purged
expect_active
[ "$(program)" = "$PROGRAM (deleted)" ] || fail "after the purge, the service runs $(program)"
systemctl --user stop homeline || fail "the service of a purged package cannot be stopped"
[ -s .local/state/homeline/demo/token.json ] || fail "the token is gone"
