/** Why a registry does not serve, from what it wrote. Pure. */

/** @param log the last lines of its container @returns a sentence that says what to do */
export function explainStart(log: string, port: number): string {
  if (/address already in use/i.test(log)) {
    return `The registry cannot listen on 127.0.0.1:${port}, which another program holds: stop that one, or choose another port with DAVIT_REGISTRY_PORT.`;
  }
  if (/no space left on device/i.test(log)) return 'The registry cannot write: the disk is full. Free some room.';
  const words = wordsOf(log);
  const reason = words === '' ? 'it wrote no reason' : words;
  return `The registry does not serve on 127.0.0.1:${port} (${reason}): look at the log of its container.`;
}

/** The last line in its own words; what it writes is JSON, a line each, once it has read its configuration. */
function wordsOf(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    if (typeof msg === 'string') return msg.slice(0, 300);
  } catch {
    // A complaint about the configuration itself is plain text.
  }
  return line.replace(/\.$/, '').slice(0, 300);
}
