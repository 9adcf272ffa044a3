/** `npm run build`: makes the build that `npm start` would make, for images and for folders that are read-only later. */
import { buildIfNeeded } from './build.ts';

await buildIfNeeded();
