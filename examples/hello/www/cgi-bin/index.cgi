#!/bin/busybox sh
# The page, from the variables that every container of an app gets.
release=${DAVIT_TAG:-$HELLO_RELEASE}
# The access log: one line for each request. The server decodes the path, so it may contain a line feed. Standard output
# is the response here, and ../../start connects the standard error output to the standard output of the container.
echo "$REQUEST_METHOD ${REQUEST_URI%%[[:cntrl:]]*} from ${HTTP_X_FORWARDED_FOR:-$REMOTE_ADDR}" >&2
row() {
  echo "<dt>$1</dt><dd>${2:-–}</dd>"
}
text() {
  printf %s "$1" | /bin/busybox sed 's/&/\&amp;/g; s/</\&lt;/g'
}
app=$DAVIT_PROJECT/$DAVIT_ENVIRONMENT/$DAVIT_APP
task() {
  echo "<dt>$1</dt><dd><code>$2</code></dd>"
}
# Releases that `npm start` builds. An image that a user pushed has other tags.
case $release in
  1.0) other=1.1 ;;
  1.1) other=1.0 ;;
esac
# Explains the example app. Another app that a template installed from the same image has a greeting, and needs no
# explanation.
about() {
  [ -z "$GREETING" ] || return 0
  /bin/busybox cat <<ABOUT
<section>
<h2>What is this app?</h2>
<p>This is the example app that the first start of Davit deployed: a small web server that shows this page. Nothing else
uses it. The dashboard has a button or a form for each of these commands.</p>
<dl>
$(task 'See its access log: one line for each request' "davit logs $app -f")
$(task 'Open a shell in its container' "davit shell $app")
$([ -z "$other" ] || task 'Deploy the other release, and go back' "davit deploy $app --tag $other<br>davit rollback $app")
$(task 'Deploy your own image' 'davit init --app shop/production/web<br>davit up')
$(task 'Remove it (or click “Remove the example app” in the dashboard)' "davit app delete $app")
</dl>
</section>
ABOUT
}
# A template of it asks whom the page greets.
[ -z "$GREETING" ] || greeting="${HEADING:-Hello}, $GREETING. "
echo 'Content-Type: text/html; charset=utf-8'
echo 'Cache-Control: no-store'
echo
/bin/busybox cat <<PAGE
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The example app of Davit: a small web server in a container.">
<title>${DAVIT_APP:-hello} $release</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --accent: $HELLO_ACCENT; --ground: #f6f7f8; --card: #fff; --text: #1d2327; --quiet: #5c6770; --line: #e3e7ea }
@media (prefers-color-scheme: dark) { :root { --ground: #14181b; --card: #1e2428; --text: #eef1f3; --quiet: #9aa6ae; --line: #323a40 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(34rem, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
header { background: var(--accent); color: #fff; padding: 1.75rem 2rem }
h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; font-weight: 650 }
header p { margin: .35rem 0 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .55rem 1.5rem; margin: 0; padding: 1.5rem 2rem }
dt { color: var(--quiet) }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
section { border-top: 1px solid var(--line); padding: 1.25rem 2rem 0 }
section h2 { margin: 0; font-size: 1.05rem }
section p { margin: .35rem 0 0; color: var(--quiet) }
section dl { grid-template-columns: 1fr; gap: .1rem; padding: .75rem 0 1.25rem }
section dd + dt { margin-top: .6rem }
code { font: .875rem/1.5 ui-monospace, monospace }
footer { border-top: 1px solid var(--line); padding: 1rem 2rem; color: var(--quiet) }
</style>
</head>
<body>
<main>
<header><h1>${DAVIT_APP:-hello} $release</h1><p>$(text "$greeting")This app runs. Davit deployed it.</p></header>
<dl>
$(row Project "$DAVIT_PROJECT")
$(row Environment "$DAVIT_ENVIRONMENT")
$(row Release "$release")
$(row Deployment "$DAVIT_DEPLOYMENT")
$(row Replica "$DAVIT_REPLICA")
</dl>
$(about)
<footer>Deploy another tag and reload: the colour and the numbers change, and no request is lost in between.</footer>
</main>
</body>
</html>
PAGE
