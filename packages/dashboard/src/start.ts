/**
 * Starts to fetch the data of the first page while the browser loads the other modules. Import this module before the
 * module that renders the dashboard.
 */
import { loadAhead } from './routes.tsx';

void loadAhead().catch(() => undefined);
