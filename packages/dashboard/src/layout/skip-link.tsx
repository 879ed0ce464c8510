/** Renders a link that skips to the main content. The link is visible only while it has the keyboard focus. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-sm text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
