import type { Settings } from '#app/env.server.ts';

/** Where the numbers given out are kept: with the data, and with the backups. */
export const numberFolders = ({ dataDir, backups }: Pick<Settings, 'dataDir' | 'backups'>) => [
  dataDir,
  ...(backups ? [backups.folder] : []),
];
