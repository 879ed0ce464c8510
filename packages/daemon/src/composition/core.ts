import type { HttpDeps } from '../http/deps.ts';
import type { McpDeps } from '../mcp/deps.ts';
import type { ReconcilersDeps } from '../reconcilers/deps.ts';

/** What all folders work with. Each takes what it names in its `deps.ts`. */
export interface Core extends HttpDeps, McpDeps, ReconcilersDeps {}
