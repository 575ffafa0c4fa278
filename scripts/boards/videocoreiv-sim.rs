// SPDX-License-Identifier: MIT
// The half of the adapter that reaches the simulator's fields: it puts a case in, runs it, takes the state
// out. The user adds it to the crate as a child of the module `processor`, and builds a static library of it.
use super::*;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::slice::{from_raw_parts, from_raw_parts_mut};

type Vector = [u32; 16];

#[repr(C)]
pub struct State {
    ra: [Vector; 32],
    rb: [Vector; 32],
    acc: [Vector; 6],
    flags: [Vector; 3],
    vpm: [Vector; 64],
    uniforms: u32,
    bytes: u32,
    memory: *mut u8,
}

fn no_breakpoint(_: &QPUEmu, _: u32) {
    panic!("a breakpoint");
}

fn put(s: &State) -> QPUEmu {
    let mut e = QPUEmu::new(s.bytes as usize, no_breakpoint);
    e.mem.copy_from_slice(unsafe { from_raw_parts(s.memory, s.bytes as usize) });
    e.uniform_ptr = s.uniforms;
    for i in 0..16 {
        (0..32).for_each(|r| e.reg_ra.set(i, r, s.ra[r][i]));
        (0..32).for_each(|r| e.reg_rb.set(i, r, s.rb[r][i]));
        (0..6).for_each(|r| e.reg_r.set(i, r, s.acc[r][i]));
        e.zf[i] = s.flags[0][i] & 1 == 1;
        e.nf[i] = s.flags[1][i] & 1 == 1;
        e.cf[i] = s.flags[2][i] & 1 == 1;
        for y in 0..64 {
            e.vpm[i][4 * y..4 * y + 4].copy_from_slice(&s.vpm[y][i].to_le_bytes());
        }
    }
    e
}

fn take(e: &QPUEmu, s: &mut State) {
    unsafe { from_raw_parts_mut(s.memory, s.bytes as usize) }.copy_from_slice(&e.mem);
    for i in 0..16 {
        (0..32).for_each(|r| s.ra[r][i] = e.reg_ra.get(i, r));
        (0..32).for_each(|r| s.rb[r][i] = e.reg_rb.get(i, r));
        (0..6).for_each(|r| s.acc[r][i] = e.reg_r.get(i, r));
        s.flags[0][i] = e.zf[i] as u32;
        s.flags[1][i] = e.nf[i] as u32;
        s.flags[2][i] = e.cf[i] as u32;
        for y in 0..64 {
            s.vpm[y][i] = (0..4).fold(0, |w, b| w | (e.vpm[i][4 * y + b] as u32) << (8 * b));
        }
    }
}

// Runs `body` on the simulator. 0: the state is in `s`. 1: `body` gave up. 2: a panic, with its text.
fn guarded(s: &mut State, text: *mut u8, body: impl FnOnce(&mut QPUEmu) -> bool) -> i32 {
    set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut e = put(s);
        if body(&mut e) { Some(e) } else { None }
    }));
    match done {
        Ok(Some(e)) => { take(&e, s); 0 }
        Ok(None) => 1,
        Err(why) => {
            let said = why.downcast_ref::<String>().cloned()
                .or(why.downcast_ref::<&str>().map(|t| t.to_string()))
                .unwrap_or("a panic".into());
            let end = said.len().min(255);
            let text = unsafe { from_raw_parts_mut(text, 256) };
            text[..end].copy_from_slice(&said.as_bytes()[..end]);
            text[end] = 0;
            2
        }
    }
}

// The simulator ends when the fetch passes the last word, three instructions before that word would execute.
#[no_mangle]
pub extern "C" fn sim_program(s: &mut State, words: *const u64, count: u32, limit: u32,
                              text: *mut u8) -> i32 {
    let words = unsafe { from_raw_parts(words, count as usize) };
    guarded(s, text, |e| {
        e.insts = words.to_vec();
        for _ in 0..=limit {
            if e.pc >= words.len() { return true; }
            let due = e.slots[0].1;
            e.slots.rotate_left(1);
            e.slots[2] = (e.pc as u32, words[e.pc]);
            e.execute_inst(&decode_inst(due));
            e.pc += 1;
        }
        false
    })
}

// The operations of unit vc4-vpm, with two words each as in a case. `reads` gets one vector for each read.
#[no_mangle]
pub extern "C" fn sim_accesses(s: &mut State, ops: *const u32, count: u32, base: u32, data: &[Vector; 32],
                               reads: &mut [Vector; 64], text: *mut u8) -> i32 {
    let ops = unsafe { from_raw_parts(ops, 2 * count as usize) };
    guarded(s, text, |e| {
        let mut read = 0;
        for op in ops.chunks(2) {
            let (operand, code) = (op[0], op[1]);
            let all = |word| [Some(word); 16];
            match code & 15 {
                1 => e.write_rb(WB_VPMVCD_WR_SETUP, &all(operand)),
                2 => e.write_ra(WA_VPMVCD_RD_SETUP, &all(operand)),
                3 => {
                    let mut v = [None; 16];
                    (0..16).filter(|i| code >> (16 + i) & 1 == 0)
                        .for_each(|i| v[i] = Some(data[operand as usize % 32][i]));
                    e.write_ra(WA_VPM_WRITE, &v)
                }
                4 => {
                    (0..16).for_each(|i| reads[read][i] = e.read_ra(i, RA_VPM_READ));
                    read += 1;
                }
                5 => e.write_rb(WB_VPM_ST_ADDR, &all(operand.wrapping_add(base))),
                6 => e.write_ra(WA_VPM_LD_ADDR, &all(operand.wrapping_add(base))),
                _ => {}
            }
        }
        true
    })
}
