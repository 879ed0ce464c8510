import { createAccountClient } from '@davit/api';
import { reachingFetch } from './reach.ts';

/**
 * HTTP client for the API routes that are not part of the OpenAPI description: sign-in, sessions, the password, and the
 * user's own API keys.
 */
export const account = createAccountClient({ url: '', fetch: reachingFetch });
