import { helpPath } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { paths } from '../../paths.ts';
import { Problem } from '../../ui/problem.tsx';
import { useAppPath } from '../../util/params.ts';

/** Shows why the newest deployment of an app failed. Renders nothing if the newest deployment did not fail. */
export function LastFailed() {
  const path = useAppPath();
  // The API returns the newest deployment first.
  const [newest] = useAnswer('listDeployments', { params: path });
  if (newest?.status !== 'failed') return null;
  const { id, tag, error, error_code } = newest;
  const reason = new Error(`The last deployment failed (#${id}, tag ${tag}). ${error ?? ''}`.trim());
  return (
    <Problem error={reason} help={helpPath(error_code)}>
      <Link to={paths.appDeployment({ ...path, deployment: id })} className="underline">
        View deployment
      </Link>
    </Problem>
  );
}
