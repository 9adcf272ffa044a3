import { moneyFiles } from '#app/routes/staff/accountant/money-files.server.ts';
import type { CsvFiles } from './csv-file.server.ts';
import { listFiles } from './list-files.server.ts';

/** Every file of rows for staff, by its name in the address. */
export const csvFiles: CsvFiles = { ...listFiles, ...moneyFiles };
