import { execFile } from 'node:child_process';

/**
 * Tells the service manager that the daemon is ready (sd_notify), so that services that need the daemon start then. Node
 * cannot send datagrams to Unix sockets, so systemd's own program sends the message.
 * @param onProblem called if the message could not be sent
 */
export function notifyReady(onProblem: (text: string) => void): void {
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error !== null) onProblem(`systemd did not get the message that Davit is ready: ${error.message}`);
  });
}
