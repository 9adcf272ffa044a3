import { chromium } from 'playwright-core';
import { chromiumOptions } from '../tests/e2e/chromium-options.ts';
const b = await chromium.launch(chromiumOptions({pictures:true}));
const watch = () => { let before=''; const start=(e:any)=>{ (window as any).paints.from=e.timeStamp; before=document.querySelector('main')?.textContent??''; }; for (const k of ['click','change']) addEventListener(k,start,true);
 (window as any).paints={from:0,waitFor:(o:string)=>new Promise(r=>{const look=()=>{const ch=document.querySelector('main')?.textContent!==before; if(!ch||location.pathname+location.search!==o) return void requestAnimationFrame(look); const {port1,port2}=new MessageChannel(); port1.onmessage=()=>r(performance.now()-(window as any).paints.from); port2.postMessage(null);}; look();})}; };
const pagesOf = async (motion:any) => { const c = await b.newContext({viewport:{width:1440,height:900},reducedMotion:motion,baseURL:'http://localhost:4557'}); const p = await c.newPage(); await p.addInitScript(watch); await p.goto('/about'); await p.waitForFunction(()=>Object.keys(document.body).some(k=>k.startsWith('__reactFiber'))); return p; };
const moves=['/courses','/certifications','/training-calendar','/about'];
const A = await pagesOf('no-preference'), B = await pagesOf('reduce');
const res:any={A:[],B:[]};
for (let i=0;i<12;i++) for (const [n,p] of [['A',A],['B',B]] as const) { await p.bringToFront(); const to=moves[i%4]!; const link=p.locator(`header a[href="${to}"]`).filter({visible:true}).first(); await link.hover(); await p.waitForTimeout(300); const t=p.evaluate((o)=>(window as any).paints.waitFor(o),to); await link.click(); res[n].push(Math.round(await t as number)); }
const med=(x:number[])=>[...x].sort((a,b)=>a-b)[x.length>>1];
console.log('with fade',med(res.A),res.A.join(' '),'\nwithout',med(res.B),res.B.join(' '));
// filters
for (const [n,p] of [['A',A]] as const) { await p.goto('/courses'); await p.waitForLoadState('networkidle'); const d=await p.context().newCDPSession(p); await d.send('Emulation.setCPUThrottlingRate',{rate:4}); const ts:number[]=[]; 
 const cats=['soc','grc','ai-security','comptia','cloud-security'];
 for (let i=0;i<10;i++){ const cat=cats[i%5]!; await p.evaluate(()=>new Promise<void>(r=>requestIdleCallback(()=>r()))); await p.waitForTimeout(300); const t=p.evaluate((o)=>(window as any).paints.waitFor(o),`/courses?category=${cat}`); await p.getByLabel('Category',{exact:true}).selectOption(cat); ts.push(Math.round(await t as number)); }
 console.log('filter',med(ts),ts.join(' ')); 
 await d.send('Profiler.enable'); await d.send('Profiler.setSamplingInterval',{interval:200}); await d.send('Profiler.start'); for (let i=0;i<6;i++){ const cat=cats[i%5]!; await p.waitForTimeout(600); const t=p.evaluate((o)=>(window as any).paints.waitFor(o),`/courses?category=${cat}`); await p.getByLabel('Category',{exact:true}).selectOption(cat); await t; } const {profile}=await d.send('Profiler.stop'); (await import('node:fs')).writeFileSync('/tmp/rep/f.cpuprofile',JSON.stringify(profile)); }
await b.close();
