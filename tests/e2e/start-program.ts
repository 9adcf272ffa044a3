import { rmSync } from 'node:fs';
import { programData } from './program-data.ts';

// Each run finds the academy as content/ has it, whatever the last one bought.
rmSync(programData, { recursive: true, force: true });
await import('#scripts/start.ts');
