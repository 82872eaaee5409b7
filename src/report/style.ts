/** The style sheet of a report: one column on a phone, two on a wide screen, light by day, dark by night, light on paper. */
import { DARK, declarations, LIGHT } from "./theme.ts";

export const style = `
:root{color-scheme:light;${declarations(LIGHT)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${declarations(DARK)}}}
:root[data-theme=dark]{color-scheme:dark;${declarations(DARK)}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main,header,footer,nav{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:28px;display:flex;gap:8px 24px;justify-content:space-between;align-items:start}
h1{font-size:1.75rem;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.25;margin:0 0 8px;padding-top:32px}
h3{font-size:1.02rem;margin:20px 0 4px;overflow-wrap:anywhere}
p{margin:0 0 12px;max-width:72ch;overflow-wrap:anywhere}
.lead{font-size:1.08rem}
.note,figcaption,small{color:var(--faint)}
figcaption{font-size:.86rem;line-height:1.45}
a{color:var(--c1)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:16px 0 0;padding:0;font-size:.92rem}
button{font:inherit;color:inherit;background:none;border:1px solid var(--grid);border-radius:8px;padding:4px 12px;cursor:pointer}
:focus-visible{outline:3px solid var(--c1);outline-offset:2px}
.theme{flex:none;font-size:.9rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:20px 28px;margin:12px 0}
figure{margin:0;min-width:0;break-inside:avoid}
figure svg{display:block;max-width:100%;height:auto;margin-bottom:6px;overflow:visible}
figure svg text,figure svg tspan{white-space:pre}
figure h3{margin-top:0}
.scroll{overflow-x:auto;margin:10px 0 14px;max-width:100%}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--grid)}
th{font-weight:600;line-height:1.3}
thead th{vertical-align:bottom}
td{white-space:nowrap}
td.number,th.number{text-align:right}
td small,th small{display:block;font-size:.8rem;font-weight:400;white-space:nowrap}
th small{white-space:normal}
th button{border:0;padding:0;font-weight:600;text-align:inherit;border-radius:4px}
th button::after{content:"\\2195";color:var(--faint);padding-left:4px;font-weight:400}
th[aria-sort=ascending] button::after{content:"\\2191";color:inherit}
th[aria-sort=descending] button::after{content:"\\2193";color:inherit}
tr.ours>*{background:var(--card)}
dl.facts{display:grid;grid-template-columns:minmax(110px,max-content) minmax(0,1fr);gap:3px 18px;margin:8px 0 12px;font-size:.95rem}
dl.facts dt{color:var(--faint)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:0 36px}
.columns>*{min-width:0}
pre{background:var(--card);border-radius:8px;padding:12px 14px;font:0.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0 14px}
code{font:0.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:.86rem;list-style:none;padding:0;margin:0 0 4px}
.legend i{display:inline-block;width:18px;height:4px;border-radius:2px;vertical-align:middle;margin-right:6px}
.hit{font-weight:600}
.bar{display:inline-block;height:.62em;background:var(--c1);border-radius:2px;min-width:1px;vertical-align:baseline}
.filter{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center;margin:8px 0}
.filter[hidden]{display:none}
.filter input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:5px 10px;min-width:0;width:min(100%,260px)}
.strip{display:block;overflow:visible}
.columns tbody th{min-width:128px}
.tall{max-height:82vh;overflow:auto}
.tall thead th{position:sticky;top:0;background:var(--page);z-index:1}
.matrix figure svg{max-width:none}
@media (min-width:521px){.tall tbody th{white-space:nowrap;max-width:270px;overflow:hidden;text-overflow:ellipsis}}
footer{color:var(--faint);font-size:.86rem;padding-top:28px;padding-bottom:40px}
.skip{position:absolute;left:-9999px}.skip:focus{left:8px;top:8px;background:var(--page);padding:6px 12px}
@media (max-width:520px){main,header,footer,nav{padding-left:16px;padding-right:16px}table{font-size:.86rem}th,td{padding-right:10px}tbody th{max-width:150px}tbody th:has(small){min-width:120px}h1{font-size:1.5rem}.strip{width:110px;height:auto}}
@media print{
:root,:root[data-theme=dark],:root:not([data-theme=light]){color-scheme:light;${declarations(LIGHT)}}
@page{margin:14mm}body{font-size:9.5pt}.figures,.columns{grid-template-columns:1fr 1fr;gap:14px 22px}nav,.theme,.skip{display:none}main,header,footer{max-width:none;padding:0}
h2,h3{break-after:avoid}tr,figure,pre{break-inside:avoid}.scroll,.tall{overflow:visible;max-height:none}th button::after{content:""}
tr.ours>*{print-color-adjust:exact;-webkit-print-color-adjust:exact}figure svg,.bar,.legend i{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`.trim();
