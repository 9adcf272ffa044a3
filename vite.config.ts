import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compiledAhead, smallerLibraries } from './scripts/browser-code.ts';
import { reactAsText, serverThreads } from './scripts/server-code.ts';

// What the pages of the shop share: their frame, and what home and the list of courses show.
const shop =
  /\/app\/(routes\/storefront\/layout|ui\/(noted|medal)|lib\/initials|seo\/structured-data|features\/site\/(figures|claims|partner-wordmarks)|features\/catalogue\/(badges|held-catalogue|portrait\.))/;

// What every page needs, also one without the shop around it, such as those of enrolling; but not the entry: it takes the
// page over at once, so it comes after everything else.
const frame =
  /\/app\/(root\.|ui\/(sign|logo|field|button|unbroken|icon|cross-fade)\.|lib\/(money|dates|delivery)|seo\/page-meta|routes\/storefront\/frame\/(missing-code|error-screen))/;

// Few, larger modules: what every page needs compresses better together, and costs one request instead of many.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'frame', test: frame },
  { name: 'shop', test: shop },
  { name: 'forms', test: /\/app\/ui\/(form-fields|form-summary|form-state|send-form)/, minShareCount: 2 },
];

export default defineConfig({
  plugins: [tailwindcss(), serverThreads(), compiledAhead(), smallerLibraries(), reactAsText(), reactRouter()],
  build: { target: ['chrome111', 'safari16.4', 'firefox128'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/app.ts' } } },
  },
});
