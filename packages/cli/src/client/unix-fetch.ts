import { request } from 'node:http';
import { requestFetch, type StreamingFetch } from './request-fetch.ts';

/** Returns a `fetch` function that sends HTTP requests through a Unix socket. */
export function unixFetch(socketPath: string): StreamingFetch {
  return requestFetch(request, { socketPath });
}
