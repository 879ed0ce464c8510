import { leastRole } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';

/** Links to the form for a new API key. The form then has a role that can push images. */
export function PushKeyLink() {
  return (
    <Link
      to={paths.account()}
      search={{ new: leastRole('operate') } as never}
      className="text-accent underline underline-offset-2"
    >
      Create an API key
    </Link>
  );
}
