import path from 'node:path';

/** Where the program under test keeps its data. */
export const programData = path.resolve(process.env.E2E_DATA_DIR ?? '.data/e2e');
