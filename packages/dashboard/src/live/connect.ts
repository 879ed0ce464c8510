/** Opens the server's event stream with the API client. Also reports when bytes of the event stream arrive. */
import { createClient, DavitError, type EventMessage, type Fetch, type LiveMessage } from '@davit/api';
import { Hub, type StreamRequest } from './hub.ts';
import type { Refusal } from './messages.ts';
import { PACE } from './pace.ts';
import type { Hearing } from './stream.ts';

const api = createClient({ url: '' });

export function createHub(): Hub {
  const hub = new Hub({ connect, whyNot });
  for (const change of ['online', 'offline']) addEventListener(change, () => hub.doubt());
  return hub;
}

function connect({ after, pastS, logs }: StreamRequest, hearing: Hearing): AsyncIterable<LiveMessage<EventMessage>> {
  const { live } = createClient({ url: '', fetch: watched(hearing) });
  const query = {
    kinds: 'deployment,app,instance,metric,machine,task,resource',
    heartbeat: String(PACE.heartbeatS),
    ...(after !== '' && { after }),
    ...(after === '' && pastS !== null && { past: String(pastS) }),
    ...(logs.length > 0 && { logs: logs.join() }),
  };
  return live.followEvents({ query, signal: hearing.signal, once: true, onPosition: hearing.onPosition });
}

/**
 * Returns a `fetch` function that reports each received chunk of bytes. Heartbeats of the event stream can only be
 * noticed here, because the event parser ignores heartbeats.
 */
function watched({ onOpen, onBytes }: Hearing): Fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, cache: 'no-store' });
    if (!response.ok || response.body === null) return response;
    onOpen();
    const see = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes();
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(see), response);
  };
}

async function whyNot(reference: string): Promise<Refusal | null> {
  const [project = '', environment = '', app = ''] = reference.split('/');
  try {
    await api.getApp({ params: { project, environment, app } });
    return null;
  } catch (error) {
    if (!(error instanceof DavitError) || error.retryable) return null;
    return error.code === 'unauthorized' ? null : { code: error.code, message: error.message };
  }
}
