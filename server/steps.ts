import type { Log } from '#app/http/log.server.ts';

const emptyLine = '\r\u001B[K';

/** Shows a step of the start: at a terminal in one line that the next step overwrites, elsewhere in the log. */
export function showStep(step: string, log: Log | null): void {
  if (process.stdout.isTTY) process.stdout.write(`${emptyLine}${step} …`);
  else if (!log) console.log(step);
  else {
    log.info({ step }, 'starting');
    // Otherwise the step is written together with later lines, when it is over.
    log.flush();
  }
}

/** Takes the last step off the terminal. */
export function clearStep(): void {
  if (process.stdout.isTTY) process.stdout.write(emptyLine);
}
