/* SPDX-License-Identifier: MIT */
/* Filters and sorts the list, shows the values in pictures, copies commands, and opens what is folded before
   printing. The page is complete without it. Lines are joined, so each statement ends in a semicolon. */
(function(){
    var all=function(s,n){return [].slice.call((n||document).querySelectorAll(s));};
    /* The content of later cards is text in <noscript> until it is needed. */
    var unfold=function(a){
        var n=a&&a.firstElementChild;
        if(n&&n.tagName==='NOSCRIPT')a.innerHTML=n.textContent;
    };
    var folded=all('article>noscript').map(function(n){return n.parentNode;});
    if(folded.length){
        var seen=new IntersectionObserver(function(entries){
            entries.forEach(function(e){
                if(!e.isIntersecting)return;
                seen.unobserve(e.target);
                unfold(e.target);
            });
        },{rootMargin:'800px'});
        folded.forEach(function(a){seen.observe(a);});
        var go=function(){
            var a=document.getElementById(location.hash.slice(1));
            if(!a||a.tagName!=='ARTICLE')return;
            unfold(a);
            a.scrollIntoView();
        };
        window.addEventListener('hashchange',go);
        go();
        window.addEventListener('beforeprint',function(){folded.forEach(unfold);});
    }
    var f=document.getElementById('filter'),list=document.getElementById('list');
    if(f&&list){
        f.parentNode.hidden=false;
        var rows=all('tbody tr',list).map(function(r){
            var a=r.querySelector('a[href^="#"]');
            return {row:r,card:a&&document.getElementById(a.getAttribute('href').slice(1)),text:null};
        });
        var shown=document.getElementById('shown');
        f.addEventListener('input',function(){
            var w=f.value.toLowerCase().split(/\s+/),n=0;
            rows.forEach(function(r){
                if(r.text===null){
                    r.text=r.row.textContent+' ';
                    if(r.card)r.text+=r.card.textContent.replace(/<[^>]*>/g,' ');
                    r.text=r.text.toLowerCase();
                }
                var hide=!w.every(function(x){return r.text.indexOf(x)>=0;});
                r.row.hidden=hide;
                if(r.card)r.card.hidden=hide;
                n+=!hide;
            });
            if(shown)shown.textContent=f.value?n+' of '+rows.length:'';
        });
        all('thead th',list).forEach(function(h,column){
            var b=document.createElement('button');
            b.textContent=h.textContent;
            h.textContent='';
            h.appendChild(b);
            b.addEventListener('click',function(){
                var down=h.getAttribute('aria-sort')==='ascending',body=list.tBodies[0];
                all('thead th',list).forEach(function(x){x.removeAttribute('aria-sort');});
                h.setAttribute('aria-sort',down?'descending':'ascending');
                var key=function(r){return r.cells[column].textContent;};
                var number=h.className==='num';
                all('tr',body).sort(function(a,b){
                    var x=key(a),y=key(b);
                    var o=number?x.replace(/,/g,'')-y.replace(/,/g,''):x.localeCompare(y);
                    return down?-o:o;
                }).forEach(function(r){body.appendChild(r);});
            });
        });
    }
    document.documentElement.className='scripted';
    document.addEventListener('click',function(e){
        var c=e.target.closest&&e.target.closest('.commands li,code');
        if(!c)return;
        var b=c.querySelector('button');
        if(b)c=c.querySelector('code');
        else if(!/^misprint ./.test(c.textContent))return;
        var done=function(){
            if(!b){c.className='copied';setTimeout(function(){c.className='';},1500);return;}
            b.textContent='copied';
            setTimeout(function(){b.textContent='copy';},1500);
        };
        var old=function(){
            var s=getSelection(),r=document.createRange();
            r.selectNodeContents(c);
            s.removeAllRanges();
            s.addRange(r);
            if(document.execCommand('copy'))done();
        };
        if(navigator.clipboard)navigator.clipboard.writeText(c.textContent).then(done,old);
        else old();
    });
    var tip=document.createElement('div');
    tip.id='tip';
    tip.hidden=true;
    tip.setAttribute('role','status');
    document.body.appendChild(tip);
    var known=new WeakMap();
    var values=function(n){
        if(known.has(n))return known.get(n);
        var map={},at=-1;
        n.getAttribute('data-v').split(' ').forEach(function(w){
            var p=w.split(':'),q=p[p.length-1].split('*');
            at=p.length>1?+p[0]:at+1;
            for(var last=at+(+q[1]||1)-1;;at++){
                map[at]=q[0].split('/');
                if(at>=last)break;
            }
        });
        known.set(n,map);
        return map;
    };
    var hex=function(n,v){
        return new Array(Math.max(0,n.getAttribute('data-d')-v.length)+1).join('0')+v;
    };
    var words=function(n,at,columns){
        var v=values(n)[at],row=Math.floor(at/columns);
        var name=n.getAttribute('data-n')+' row '+row+', '+(columns>1?'column '+at%columns:'');
        if(!v)return name.replace(/, $/,'')+': unchanged';
        var s=name.replace(/, $/,'')+': model '+hex(n,v[0])+', board '+hex(n,v[1]||v[0])+
            ', before '+hex(n,v[2]||'0');
        return v[3]?s+', compared '+v[3]:s;
    };
    var tell=function(e){
        var x=e.target,n,b;
        if(!x.closest)return '';
        if((n=x.closest('.sides[data-v]'))&&(b=x.closest('g[data-r]'))){
            var r=b.firstChild.getBoundingClientRect();
            var c=+b.getAttribute('data-c'),h=+b.getAttribute('data-h');
            var col=Math.min(c-1,Math.max(0,Math.floor((e.clientX-r.left)/r.width*c)));
            var row=Math.min(h-1,Math.max(0,Math.floor((e.clientY-r.top)/r.height*h)));
            return words(n,(+b.getAttribute('data-r')+row)*c+col,c);
        }
        if((n=x.closest('[data-v][data-c]'))&&(b=x.closest('td'))&&b.closest('tbody')){
            var t=b.closest('tbody');
            return words(n,+t.getAttribute('data-i')+
                Math.floor((b.cellIndex-2)/t.getAttribute('data-w')),+n.getAttribute('data-c'));
        }
        if((b=x.closest('table.bits td'))&&b.lastChild){
            var p=b.childNodes,v=b.getAttribute('data-v');
            return p[2].textContent+', bit'+(/:/.test(p[0].textContent)?'s ':' ')+p[0].textContent+': '+
                p[1].textContent+(v?' ('+v+')':'');
        }
        return '';
    };
    var show=function(e){
        var s=tell(e);
        tip.hidden=!s;
        if(!s)return;
        tip.textContent=s;
        var w=document.documentElement.clientWidth;
        tip.style.left=Math.max(4,Math.min(e.clientX+12,w-tip.offsetWidth-4))+'px';
        tip.style.top=(e.clientY+18+tip.offsetHeight>innerHeight?e.clientY-tip.offsetHeight-10:
            e.clientY+18)+'px';
    };
    document.addEventListener('mousemove',show);
    document.addEventListener('click',show);
    window.addEventListener('beforeprint',function(){
        all('details').forEach(function(d){d.open=true;});
    });
})();
