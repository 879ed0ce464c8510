import './start.ts';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { DavitError } from '@davit/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api.ts';
import { noteVisit } from './layout/visits.ts';
import { router } from './routes.tsx';
import './styles.css';
import { Toasts } from './ui/toast.tsx';

/**
 * Logs unexpected errors to the console. Error responses of the server are not logged, because the page shows these
 * errors.
 */
function note(error: unknown): void {
  if (!(error instanceof DavitError)) console.error(error);
}

router.subscribe('onResolved', ({ toLocation }) => noteVisit(toLocation.pathname));

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root, { onCaughtError: note }).render(
  <StrictMode>
    {/* Disable the style elements of the component library, because the content security policy forbids style
        elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
