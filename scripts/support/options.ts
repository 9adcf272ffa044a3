import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The options that a command was given, as `parseArgs` reads them. `--help` prints `usage` and ends the program with 0.
 * An option that the command does not have prints what is wrong with it, and `usage`, and ends the program with 2.
 */
export function optionsOrExit<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
    // Only its first sentence is about the option: the others are about dashes.
    console.error(`${error.message.split('. ', 1)[0]}.\n${usage}`);
    process.exit(2);
  }
}
