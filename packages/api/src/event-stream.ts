/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** Of this event or the last one before it that had one: where to go on after it. Empty: none had. */
  id: string;
  event: string;
  data: string;
}

export interface EventStreamOptions {
  /** Hears how long the server wants to be left alone before the next connection, in milliseconds. */
  onRetry?: (ms: number) => void;
  /** Hears where the stream stands when it is told so without an event. */
  onPosition?: (id: string) => void;
}

/** Reads a `text/event-stream` by the HTML standard's rules, however its bytes are cut into pieces. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  { onRetry, onPosition }: EventStreamOptions = {},
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let event = '';
  let data: string[] = [];
  let isMoved = false;
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
      else if (isMoved) onPosition?.(id);
      isMoved = false;
      event = '';
      data = [];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) {
      id = value;
      isMoved = true;
    } else if (field === 'retry' && /^\d+$/.test(value)) onRetry?.(Number(value));
  }
}

/** Whole lines; what stands after the last line break was cut off and counts for nothing. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      // A return at the very end may be half of a line break.
      const whole = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, whole).split(/\r\n|\n|\r/);
      text = (lines.pop() ?? '') + text.slice(whole);
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
