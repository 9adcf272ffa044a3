import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { serverThreads } from './scripts/server-threads.ts';

// What every page needs, but not the entry: it takes the page over at once, so it comes after everything else.
const frame =
  /\/app\/(root\.|ui\/(sign|logo|field|button|unbroken|icon)\.|lib\/(money|dates|delivery)|seo\/page-meta|routes\/storefront\/frame\/(missing-code|error-screen|rare-screen|not-found))/;

// Few, larger modules compress better and cost fewer requests: 10 KB of each page.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'frame', test: frame },
  { name: 'pricing', test: /\/app\/(features\/money\/pricing|lib\/gst)\./ },
];

export default defineConfig({
  plugins: [tailwindcss(), serverThreads(), reactRouter()],
  build: { target: ['chrome111', 'safari16.4', 'firefox128'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/app.ts' } } },
  },
});
