/**
 * Requests the data of the first page while the other modules load. This module must be imported before the module that
 * renders.
 */
import { loadAhead } from './routes.tsx';

void loadAhead().catch(() => undefined);
