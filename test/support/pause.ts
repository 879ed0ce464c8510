import { until } from '@davit/testkit/waiting';
import type Docker from 'dockerode';

/**
 * Pauses a container. On cgroup v1, the kernel sometimes refuses to freeze busy processes, and Docker then answers the
 * status code 500. The request is therefore repeated.
 */
export async function pause(container: Docker.Container): Promise<void> {
  await until('the container is paused', () =>
    container.pause().then(
      () => true,
      (error: { statusCode?: number }) => {
        if (error.statusCode === 500) return false;
        throw error;
      },
    ),
  );
}
