/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** Id of this event, or of the last event with an id. The stream is resumed after it. Empty if no event had an id. */
  id: string;
  event: string;
  data: string;
}

export interface EventStreamOptions {
  /** Receives the minimum pause before the next connection, in milliseconds. */
  onRetry?: (ms: number) => void;
  /** Receives the position of the stream when the server sends it without an event. */
  onPosition?: (id: string) => void;
}

/** Parses a `text/event-stream` by the rules of the HTML standard, whatever the boundaries of the chunks are. */
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

/** Yields complete lines. The text after the last line break is incomplete and is dropped. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      // A carriage return at the end may be the first half of a line break.
      const whole = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, whole).split(/\r\n|\n|\r/);
      text = (lines.pop() ?? '') + text.slice(whole);
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
