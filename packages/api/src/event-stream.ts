/** One event of a `text/event-stream` (server-sent events). */
export interface ServerSentEvent {
  /**
   * ID of this event. If the event has no ID, the ID of the last earlier event with an ID, or an empty text. A client
   * sends this ID to continue the event stream.
   */
  id: string;
  event: string;
  data: string;
}

export interface EventStreamOptions {
  /**
   * Called if the event stream contains a line with `retry`. The argument is the wait before a reconnect in
   * milliseconds.
   */
  onRetry?: (ms: number) => void;
  /** Called if the server sends an ID without an event. The ID is the new position in the event stream. */
  onPosition?: (id: string) => void;
}

/**
 * Parses an event stream (`text/event-stream`) according to the HTML standard. A received chunk can end in the middle
 * of a line.
 */
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

/** Yields the complete lines of an event stream. An incomplete last line is omitted. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      /*
       * A chunk can end between CR and LF of a line break. Therefore, a CR at the end of a chunk is kept until the next
       * chunk arrives.
       */
      const whole = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, whole).split(/\r\n|\n|\r/);
      text = (lines.pop() ?? '') + text.slice(whole);
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
