import { execFile } from 'node:child_process';

/**
 * Notifies the service manager that the daemon is ready (sd_notify), so that dependent services can start. Node cannot
 * send datagrams to Unix sockets, so systemd's own program sends the message.
 * @param onProblem called if the message could not be sent
 */
export function notifyReady(onProblem: (text: string) => void): void {
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error !== null) onProblem(`Davit could not report to systemd that it is ready: ${error.message}`);
  });
}
