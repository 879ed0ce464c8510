import { createAccountClient } from '@davit/api';
import { reachingFetch } from './reach.ts';

/**
 * HTTP client for the API routes that the OpenAPI description does not contain. These routes are for sign-in, sessions,
 * the password, and the user's own API keys.
 */
export const account = createAccountClient({ url: '', fetch: reachingFetch });
