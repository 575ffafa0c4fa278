/* SPDX-License-Identifier: MIT */
/* Filters the list of findings, and opens what is folded before printing. The page is complete without it. */
(function(){
    var f=document.getElementById('filter');
    if(f){
        f.parentNode.hidden=false;
        var rows=[].slice.call(document.querySelectorAll('#list tbody tr')),
            arts=[].slice.call(document.querySelectorAll('article.finding'));
        var text=rows.map(function(r){return r.textContent.toLowerCase()});
        f.addEventListener('input',function(){
            var w=f.value.toLowerCase().split(/\s+/);
            rows.forEach(function(r,i){
                var hide=!w.every(function(x){return text[i].indexOf(x)>=0});
                r.hidden=hide;
                if(arts[i])arts[i].hidden=hide
            })
        })
    }
    window.addEventListener('beforeprint',function(){
        [].forEach.call(document.querySelectorAll('details'),function(d){d.open=true})
    })
})();
