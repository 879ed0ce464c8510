import type { Deployment, Promotion } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Status } from '../../ui/status.tsx';
import { nameOf } from './promotion.ts';

/**
 * Shows the progress of the deployments that a promotion started. The deployments continue if the user closes the
 * dialog.
 */
export function PromotionResults({ promotions, onClose }: { promotions: readonly Promotion[]; onClose: () => void }) {
  return (
    <>
      <ul aria-label="Deployments" className="divide-y divide-line rounded-md border border-line">
        {promotions.map(({ app, skipped, error, deployment }) => (
          <li key={app} className="flex items-start justify-between gap-3 px-3 py-2 text-sm">
            <div className="min-w-0">
              <p className="font-medium">{nameOf(app)}</p>
              {skipped && <p className="text-soft">{skipped}</p>}
              {error && <p className="text-error">{error}</p>}
            </div>
            {deployment && <Goes deployment={deployment} />}
          </li>
        ))}
      </ul>
      <Actions>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </>
  );
}

function Goes({ deployment: initial }: { deployment: Deployment }) {
  const path = { ...appPath(initial.app), deployment: String(initial.id) };
  const { data = initial } = useQuery(query('getDeployment', { params: path }));
  return (
    <div className="flex flex-col items-end gap-1">
      <span className="flex flex-wrap items-center justify-end gap-x-3">
        <Status of={data.status} kind="deployment" />
        <ButtonLink to={paths.appDeployment(path)}>
          View deployment<span className="sr-only"> in {nameOf(initial.app)}</span>
        </ButtonLink>
      </span>
      {data.error && <p className="text-right text-error">{data.error}</p>}
    </div>
  );
}
