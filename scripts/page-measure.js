/* SPDX-License-Identifier: MIT */
/* Measures a page from within, for scripts/page-check, and posts what is wrong to the frame around it. */
addEventListener("load", () => setTimeout(() => {
    const wrong = [], $ = s => [...document.querySelectorAll(s)], wide = document.documentElement.clientWidth;
    const row = document.querySelector("#list tbody tr");
    if (row && row.querySelector("a").getBoundingClientRect().bottom > innerHeight)
        wrong.push("the first row of the list ends at " + Math.round(row.getBoundingClientRect().bottom) +
                   " px");
    if (document.documentElement.scrollWidth > wide)
        wrong.push("the page is " + document.documentElement.scrollWidth + " px wide");
    for (const x of $("body *"))
        if (!x.closest(".scroll,pre,svg,nav,#tip") && x.getBoundingClientRect().right > wide + 1) {
            wrong.push(x.tagName + "." + x.className + " is wider than the page");
            break;
        }
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const paint = colours => {
        canvas.clearRect(0, 0, 1, 1);
        for (const c of colours) {
            canvas.fillStyle = c;
            canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = c => {
        const [r, g, b] = c.map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const seen = new Map();
    const ground = x => x ? [...ground(x.parentElement), getComputedStyle(x).backgroundColor] : ["#fff"];
    let texts = 0;
    for (const x of $("body *")) {
        const own = [...x.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (texts > 4000 || !own || x.closest("svg,script") || !x.getClientRects().length)
            continue;
        const s = getComputedStyle(x), back = ground(x), key = s.color + back.join();
        texts++;
        if (!seen.has(key)) {
            const [a, b] = [light(paint(back)), light(paint([...back, s.color]))].sort((a, b) => a - b);
            seen.set(key, (b + 0.05) / (a + 0.05));
        }
        const size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && s.fontWeight >= 700);
        if (seen.get(key) < (large ? 3 : 4.5)) {
            wrong.push("contrast " + seen.get(key).toFixed(2) + " of " + x.tagName + "." + x.className +
                       " '" + x.textContent.trim().slice(0, 20) + "'");
            break;
        }
    }
    if (!texts)
        wrong.push("no text is visible");
    const loaded = performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:"));
    if (loaded.length)
        wrong.push("loaded " + loaded[0].name);
    const filter = document.getElementById("filter"), rows = $("#list tbody tr");
    const id = row && row.querySelector("code").textContent;
    if (filter && row) {
        filter.value = id;
        filter.dispatchEvent(new Event("input"));
        if (row.hidden || !id)
            wrong.push("the filter does not find " + id);
        filter.value = "xyzzyx";
        filter.dispatchEvent(new Event("input"));
        if (rows.some(r => !r.hidden))
            wrong.push("the filter hides nothing");
    }
    const command = document.querySelector(".commands code");
    if (command) {
        let copied = null;
        const clipboard = {writeText: s => (copied = s, Promise.resolve())};
        Object.defineProperty(navigator, "clipboard", {value: clipboard});
        command.parentNode.querySelector("button").click();
        if (copied !== command.textContent)
            wrong.push("a click does not copy " + command.textContent);
    }
    parent.postMessage({at: location.href, wrong}, "*");
}, 300));
